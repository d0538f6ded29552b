// Elements of the page. Text is always text: no name can become markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void) | undefined>;

/** An element with attributes and children; functions become listeners. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** Lines of a table; numbers stand at the right. */
export function table(head: string[], lines: (Node | string)[][], left = 1): HTMLTableElement {
  const side = (k: number) => (k < left ? "left" : "right");
  const cells = (tag: "th" | "td", line: (Node | string)[]) =>
    line.map((cell, k) => el(tag, { class: side(k) }, cell));
  return el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...cells("th", head))),
    el("tbody", {}, ...lines.map((line) => el("tr", {}, ...cells("td", line)))),
  );
}

/** Hands a text, or what was drawn, over as a file. */
export function download(name: string, kind: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: kind }));
  const link = el("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A name for a file. */
export function fileName(words: string, ending: string): string {
  const plain = words.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${plain || "plot"}.${ending}`;
}

/** A command for a shell, with a button that copies it. */
export function command(label: string, text: string, title: string): HTMLElement {
  const code = el("code", { id: "command" }, text);
  const copy = el(
    "button",
    {
      class: "quiet",
      title,
      click: () => {
        const range = document.createRange();
        range.selectNodeContents(code);
        const selection = getSelection();
        selection?.removeAllRanges();
        selection?.addRange(range);
        // pages from disk have no clipboard of their own
        document.execCommand("copy");
        copy.textContent = "copied";
        setTimeout(() => (copy.textContent = "copy"), 1500);
      },
    },
    "copy",
  );
  return el("div", { class: "command" }, el("span", {}, label), code, copy);
}

/** Buttons of which one is pressed: each a word and what it means. */
export function pair(words: [string, string][], chosen: number, choose: (k: number) => void): HTMLElement {
  const buttons = words.map(([word, title], k) =>
    el("button", { "aria-pressed": String(k === chosen), title, click: () => set(k) }, word),
  );
  const set = (k: number) => {
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === k)));
    choose(k);
  };
  return el("span", { class: "pair" }, ...buttons);
}

/** Does something once before the next frame, however often it is asked for. */
export function oncePerFrame(what: () => void): () => void {
  let isWanted = false;
  return () => {
    if (isWanted) return;
    isWanted = true;
    requestAnimationFrame(() => {
      isWanted = false;
      what();
    });
  };
}
