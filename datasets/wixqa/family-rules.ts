/** A family of products and the words, in lower case, whose first match puts a product into it. */
export interface FamilyRule {
  family: string;
  words: readonly string[];
}

/** Family of products that no rule or mapping knows. */
export const OTHER_FAMILY = "General help";

/** In order: the first rule with a matching word wins. With {@link OTHER_FAMILY} they are the paper's 16 families. */
export const familyRules: readonly FamilyRule[] = [
  {
    family: "Hotels, restaurants and rentals",
    words: ["hotel", "hotels", "restaurant", "restaurants", "rental", "rentals", "menus", "tables"],
  },
  { family: "Events and tickets", words: ["event", "events", "tickets", "rsvp"] },
  {
    family: "Bookings and programs",
    words: ["booking", "bookings", "fitness", "programs", "challenges", "appointments"],
  },
  {
    family: "Stores and selling",
    words: [
      "store",
      "stores",
      "ecommerce",
      "pos",
      "dropshipping",
      "shipping",
      "checkout",
      "cart",
      "gift",
      "coupon",
      "coupons",
      "inventory",
    ],
  },
  {
    family: "Payments and invoices",
    words: ["payment", "payments", "payout", "payouts", "invoice", "invoices", "tax", "paypal"],
  },
  { family: "Domains", words: ["domain", "domains", "dns", "ssl"] },
  {
    family: "Mailboxes",
    words: ["mailbox", "mailboxes", "workspace", "business email", "mail"],
  },
  {
    family: "Marketing and automation",
    words: ["marketing", "ads", "social", "automation", "automations", "campaign", "campaigns"],
  },
  {
    family: "Search and analytics",
    words: ["seo", "analytics", "search", "pixel", "sitemap", "reports"],
  },
  {
    family: "Customers and members",
    words: [
      "contact",
      "contacts",
      "crm",
      "inbox",
      "chat",
      "form",
      "forms",
      "member",
      "members",
      "groups",
      "loyalty",
    ],
  },
  {
    family: "Content and media",
    words: [
      "blog",
      "cms",
      "forum",
      "portfolio",
      "faq",
      "video",
      "music",
      "photo",
      "gallery",
      "media",
    ],
  },
  {
    family: "Plans and accounts",
    words: [
      "plan",
      "plans",
      "premium",
      "subscription",
      "subscriptions",
      "account",
      "accounts",
      "billing",
    ],
  },
  {
    family: "Apps and development",
    words: ["velo", "dev", "developer", "headless", "api", "app", "apps", "third party"],
  },
  {
    family: "Editors and design",
    words: ["editor", "studio", "adi", "design", "logo", "template", "templates", "theme"],
  },
  {
    family: "Site management",
    words: ["site", "sites", "dashboard", "collaborators", "languages"],
  },
];
