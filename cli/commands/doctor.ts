import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import type { Table } from "../../reports/table/table.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode, type Io } from "../io.ts";
import { addDataOption, addTableOptions, dataFolder, homeFolder } from "../options.ts";
import { printJson, putTables } from "../output.ts";
import { programVersion } from "../version.ts";

interface Check {
  check: string;
  status: "ok" | "missing" | "failed";
  detail: string;
  /** Whether ritbench cannot work at all without it. */
  required: boolean;
}

const OPTIONAL_PACKAGES: readonly { name: string; without: string }[] = [
  {
    name: "hnswlib-node",
    without: "approximate search for corpora above 2M chunks (needs a C++ compiler to install)",
  },
  {
    name: "usearch",
    without: "a rival in `npm run bench -- dense --rival`; search does not use it",
  },
  {
    name: "@huggingface/transformers",
    without: "local: embeddings; use an endpoint or offline:hashing",
  },
];

const KEYS: readonly string[] = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GOOGLE_API_KEY"];

/** `ritbench doctor`: what this machine has and lacks. */
export const doctorCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("doctor")
    .description("Say what is installed, what is missing and what works without it.")
    .addHelpText("after", "\nExample:\n  ritbench doctor\n");
  addTableOptions(addDataOption(command)).action(
    async (options: { data?: string; out?: string; json?: boolean }) => {
      const checks = await runChecks(io, options.data);
      if (options.json === true) {
        printJson(io, "doctor", { version: programVersion(), rows: checks, fingerprints: {} });
      }
      putTables(io, [doctorTable(checks)], { folder: options.out, name: "doctor" }, options.json);
      const broken = checks.some(({ required, status }) => required && status !== "ok");
      done(broken ? exitCode.failure : exitCode.ok);
    },
  );
};

function doctorTable(checks: readonly Check[]): Table {
  return {
    title: `ritbench ${programVersion()}`,
    columns: [
      { key: "check", label: "Check" },
      { key: "status", label: "Status" },
      { key: "detail", label: "Detail", wrap: true },
    ],
    rows: checks.map(({ check, status, detail }) => ({ check, status, detail })),
    notes: checks.every(({ status }) => status === "ok")
      ? ["Everything is here."]
      : ["What is missing is optional unless its status says failed."],
  };
}

async function runChecks(io: Io, data: string | undefined): Promise<Check[]> {
  return [
    nodeCheck(),
    homeCheck(io),
    ...(await Promise.all(OPTIONAL_PACKAGES.map(packageCheck))),
    compilerCheck(),
    fontCheck(),
    ...KEYS.map((name) => keyCheck(io, name)),
    dataCheck(dataFolder(io, data)),
  ];
}

function nodeCheck(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fine = major > 20 || (major === 20 && minor >= 19);
  return {
    check: "Node.js",
    status: fine ? "ok" : "failed",
    detail: fine ? process.version : `${process.version}; 20.19 or newer is needed`,
    required: true,
  };
}

function homeCheck(io: Io): Check {
  const home = homeFolder(io);
  try {
    mkdirSync(home, { recursive: true });
    accessSync(home, constants.W_OK);
    return { check: "home folder", status: "ok", detail: home, required: true };
  } catch {
    return {
      check: "home folder",
      status: "failed",
      detail: `${home} cannot be written; set RITBENCH_HOME to a folder that can`,
      required: true,
    };
  }
}

async function packageCheck({ name, without }: { name: string; without: string }): Promise<Check> {
  try {
    await import(name);
    return { check: name, status: "ok", detail: "loads", required: false };
  } catch {
    return {
      check: name,
      status: "missing",
      detail: `without it: no ${without}. To add it: npm install ${name}`,
      required: false,
    };
  }
}

function compilerCheck(): Check {
  const { status } = spawnSync("c++", ["--version"], { stdio: "ignore" });
  return {
    check: "C++ compiler",
    status: status === 0 ? "ok" : "missing",
    detail: status === 0 ? "c++ found" : "only needed to install hnswlib-node",
    required: false,
  };
}

function fontCheck(): Check {
  try {
    const font = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
    return { check: "plot fonts", status: "ok", detail: font, required: false };
  } catch {
    return {
      check: "plot fonts",
      status: "failed",
      detail: "dejavu-fonts-ttf is not installed; PNG plots need it (npm ci)",
      required: true,
    };
  }
}

/** Only whether a key is there; nothing of the key itself. */
function keyCheck(io: Io, name: string): Check {
  const present = (io.env[name] ?? "") !== "";
  return {
    check: name,
    status: present ? "ok" : "missing",
    detail: present ? "set" : "not set; offline: models and local servers need no key",
    required: false,
  };
}

function dataCheck(folder: string): Check {
  const present = existsSync(folder);
  return {
    check: "data folder",
    status: present ? "ok" : "missing",
    detail: present ? folder : `${folder} is absent; ritbench data fetch wixqa makes it`,
    required: false,
  };
}
