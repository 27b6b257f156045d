import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli, spawnCli } from "../support/cli.ts";
import { storedRun } from "../support/stored-run.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

async function home(): Promise<string> {
  const folder = temporaryFolder();
  await storedRun({
    runsFolder: join(folder, "runs"),
    name: "viewed",
    count: 3,
    outcome: () => "right",
  });
  return folder;
}

describe("ritbench view", () => {
  it("prints one address of this machine, serves the run and ends with 130 on Ctrl-C", async () => {
    const { child, ended } = spawnCli(await home(), ["view", "viewed"]);
    const address = await new Promise<string>((resolve) => {
      child.stdout.once("data", (bytes: Buffer) => resolve(bytes.toString()));
    });
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
    const reply = await fetch(new URL("live.json", address.trim()));
    expect(await reply.json()).toMatchObject({ done: 3, planned: 3 });
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).not.toContain("fault of the program");
    await expect(fetch(address.trim())).rejects.toThrow("fetch failed");
  });

  it("names a run that is not there", async () => {
    const { code, stderr } = await cli(await home(), ["view", "vieved"]);
    expect(code).toBe(1);
    expect(stderr).toContain("E_RUN_MISSING");
    expect(stderr).toContain("viewed");
  });
});

describe("ritbench report", () => {
  it("writes the pages beside the tables, or leaves them out", async () => {
    const folder = await home();
    const files = async (...extra: string[]) =>
      (await cli(folder, ["report", "viewed", "--json", ...extra])).json<{ files: string[] }>()
        .files;
    expect((await files()).at(-1)).toBe(
      join(folder, "runs", "viewed", "report", "html", "index.html"),
    );
    expect(await files("--html")).toEqual(await files());
    expect((await files("--no-html")).filter((file) => file.includes("html"))).toEqual([]);
  });
});
