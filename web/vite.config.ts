// Builds one file that needs nothing else: the template that pliant fills.
import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/** What the page is made of besides our own, with the words that go along with it. */
const LICENCES = ["three", "uplot"].map(
  (name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`,
);

/** Puts scripts and styles into the page itself. */
function inline(): Plugin {
  return {
    name: "inline",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = Object.values(bundle).find((file) => file.fileName.endsWith(".html"));
      if (page?.type !== "asset") throw new Error("there is no page");
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
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
        delete bundle[name];
      }
      const licences = LICENCES.join("\n\n").replace(/--/g, "- -").replace(/\r/g, "");
      html = html.replace("</head>", () => `<!--\n${licences}\n-->\n</head>`);
      page.source = html;
      page.fileName = "report.html";
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [inline()],
  build: {
    outDir: "../crates/pliant-io/assets",
    emptyOutDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 1_000_000,
    chunkSizeWarningLimit: 2000,
    target: "es2022",
  },
});
