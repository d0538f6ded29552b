// Builds pages that need nothing else, one file each: the templates that pliant fills. `build.mjs` asks
// for one page after the other, by the mode.
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** Each page: the script that makes it, and what that is made of besides our own. */
const PAGES: Record<string, { script: string; packages: string[] }> = {
  report: { script: "/src/main.ts", packages: ["three", "uplot"] },
  study: { script: "/src/study/main.ts", packages: [] },
};

/** The words that go along with a package. */
function licence(name: string): string {
  return `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`;
}

/** The frame of all pages with the script of one. */
function begin(script: string): Plugin {
  const handler = (html: string) => html.replace(PAGES.report.script, script);
  return { name: "begin", transformIndexHtml: { order: "pre", handler } };
}

/** Puts scripts and styles into the page itself. */
function inline(name: string, packages: string[]): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith(".html"));
      if (page?.type !== "asset") throw new Error("there is no page");
      let html = String(page.source);
      for (const [part, file] of Object.entries(bundle)) {
        if (file === page) continue;
        if (file.type === "chunk") {
          const script = new RegExp(`<script[^>]*${file.fileName}[^>]*></script>`);
          const code = file.code.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
          html = html.replace(script, "");
          html = html.replace("</body>", () => `<script type="module">${code}</script></body>`);
        } else {
          const link = new RegExp(`<link[^>]*${file.fileName}[^>]*>`);
          html = html.replace(link, () => `<style>${String(file.source)}</style>`);
        }
        delete bundle[part];
      }
      const licences = packages.map(licence).join("\n\n").replace(/--/g, "- -").replace(/\r/g, "");
      if (licences) html = html.replace("</head>", () => `<!--\n${licences}\n-->\n</head>`);
      page.source = html;
      page.fileName = `${name}.html`;
    },
  };
}

export default defineConfig(({ mode }) => ({
  base: "./",
  plugins: [begin(PAGES[mode].script), inline(mode, PAGES[mode].packages)],
  build: {
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1_000_000,
    chunkSizeWarningLimit: 2000,
    target: "es2022",
  },
}));
