// Faults of the scripts, as a message on the page. Imported before everything else.

const seen = new Set<string>();

/** Says on the page what went wrong, once. */
function tell(what: string): void {
  if (seen.has(what)) return;
  seen.add(what);
  const message = document.createElement("p");
  message.className = "alert fault";
  message.setAttribute("role", "alert");
  message.textContent = `A part of this page failed: ${what}. The results themselves are not affected.`;
  document.querySelector(".wait")?.remove();
  document.body.prepend(message);
}

// a browser tells so where an observer is called again within a frame; nothing is wrong then
const isHarmless = (text: string) => text.startsWith("ResizeObserver loop");

addEventListener("error", ({ message, error }: ErrorEvent) => {
  if (!isHarmless(message)) tell(String(error ?? message));
});
addEventListener("unhandledrejection", ({ reason }) => tell(String(reason)));
