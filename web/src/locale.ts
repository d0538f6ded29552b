// A language that numbers can be written in. Imported before everything else: a browser in a
// container may have the system's "en-US@posix", which is no language tag, and the plots ask for it.

try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, "language", { value: "en-US", configurable: true });
}
