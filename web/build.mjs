// Bundles every report (a folder of src/ with a main.ts) and writes the bundles as one C++ file:
//
//   node build.mjs build/web/html_bundles.cpp       what the library embeds
//   node build.mjs --watch DIR                      bundles only, into DIR, again after every change
//
// The hashes go into the page's content security policy, which lets these two texts run and nothing else.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const kinds = readdirSync(join(here, "src"))
  .filter((name) => existsSync(join(here, "src", name, "main.ts")))
  .sort();

// The licences of the packages inside the bundles, which every page carries: `import text from "licences"`.
const licences = {
  name: "licences",
  setup(build) {
    build.onResolve({ filter: /^licences$/ }, () => ({ path: "licences", namespace: "licences" }));
    build.onLoad({ filter: /.*/, namespace: "licences" }, () => ({ contents: licenceText(), loader: "text" }));
  },
};

function licenceText() {
  const lock = JSON.parse(readFileSync(join(here, "package-lock.json"), "utf8"));
  const parts = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    const name = path.replace(/^node_modules\//, "");
    if (!path || entry.dev || entry.optional || name === "esbuild") continue;
    const files = readdirSync(join(here, path)).filter((f) => /^(LICEN[CS]E|NOTICE)(\.txt|\.md)?$/i.test(f));
    const texts = files.map((f) => readFileSync(join(here, path, f), "utf8").trim());
    parts.push([`${name} ${entry.version} (${entry.license})`, ...texts].join("\n\n"));
  }
  return parts.join("\n\n\n");
}

function options(outdir) {
  return {
    absWorkingDir: here,
    entryPoints: kinds.map((kind) => ({ in: `src/${kind}/main.ts`, out: kind })),
    outdir,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
    plugins: [licences],
    define: { "process.env.NODE_ENV": '"production"' },
  };
}

// Inside an HTML element, so the text must not end it.
function checked(text, name) {
  if (/<\/(script|style)|<!--/i.test(text)) throw new Error(`${name}: the bundle contains the end of its own element`);
  if (text.includes(`)${kDelimiter}"`)) throw new Error(`${name}: the bundle contains the end of a C++ string`);
  return text;
}

const kDelimiter = "evident";
const raw = (text) => `R"${kDelimiter}(${text})${kDelimiter}"sv`;
const hash = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

function cpp(bundles) {
  const items = bundles.map(
    ({ kind, script, style }) =>
      `    HtmlBundle{"${kind}"sv,\n${raw(script)},\n"${hash(script)}"sv,\n${raw(style)},\n"${hash(style)}"sv},\n`,
  );
  return `// Made by web/build.mjs; changes belong there.
#include "report/html_bundles.hpp"

namespace evident::report {

using namespace std::string_view_literals;

std::span<const HtmlBundle> html_bundles() {
  static constexpr HtmlBundle kBundles[] = {
${items.join("")}  };
  return kBundles;
}

}  // namespace evident::report
`;
}

const [first, second] = process.argv.slice(2);
if (first === "--watch" && second) {
  const context = await esbuild.context(options(second));
  await context.watch();
} else if (first) {
  const result = await esbuild.build({ ...options("out"), write: false });
  const text = (name) => {
    const file = result.outputFiles.find((f) => f.path.endsWith(`/${name}`));
    return checked(file.text.trimEnd(), name);
  };
  const bundles = kinds.map((kind) => ({ kind, script: text(`${kind}.js`), style: text(`${kind}.css`) }));
  mkdirSync(dirname(first), { recursive: true });
  writeFileSync(first, cpp(bundles));
  for (const { kind, script, style } of bundles) {
    console.log(`report ${kind}: script ${Math.round(script.length / 1024)} KB, style ${Math.round(style.length / 1024)} KB`);
  }
} else {
  console.error("usage: node build.mjs FILE.cpp | node build.mjs --watch DIR");
  process.exit(2);
}
