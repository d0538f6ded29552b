// Unpacks the browser of the npm package: node test/unpack.mjs FOLDER. What starts it is the file
// `run` in there, so that nothing has to be known about where it lies.

import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";

const folder = resolve(process.argv[2]);
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });

// the package unpacks into the folder for temporary files, and its system libraries only where it
// takes the machine for a bare one
process.env.TMPDIR = folder;
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs20.x";
const { default: chromium } = await import("@sparticuz/chromium");
await chromium.executablePath();

// libraries and faces of the system where it has them, those of the package where it has none
const run = `#!/bin/sh
here=\${0%/*}
if ldd "$here/chromium" | grep -q "not found"; then
  export LD_LIBRARY_PATH="$here/al2023/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
fi
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$here/fonts"
exec "$here/chromium" "$@"
`;
const faces = `<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
await writeFile(`${folder}/fonts/fonts.conf`, faces);
await writeFile(`${folder}/run`, run);
await chmod(`${folder}/run`, 0o755);
