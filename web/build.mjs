// Builds the pages, each on its own so that it is one file: node build.mjs [--outDir FOLDER].

import { build } from "vite";

const at = process.argv.indexOf("--outDir");
const outDir = at > 0 ? process.argv[at + 1] : "../crates/pliant-io/assets";
for (const mode of ["report", "study"]) await build({ mode, build: { outDir } });
