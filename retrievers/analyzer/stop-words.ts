/** The 33 English function words that Lucene's classic English analyzer leaves out. */
export const LUCENE_33: ReadonlySet<string> = new Set(
  (
    "a an and are as at be but by for if in into is it no not of on or such " +
    "that the their then there these they this to was will with"
  ).split(" "),
);
