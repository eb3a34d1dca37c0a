// What a link holds after its #: the state of the page, an object.

export function hash_of(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return "#" + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** null where there is none that can be read. */
export function state_of(hash) {
  try {
    const bytes = Uint8Array.from(atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(bytes));
    return typeof state === "object" && !Array.isArray(state) ? state : null;
  } catch {
    return null;
  }
}

/** The state as a link in the address bar and, where that is allowed, copied; says which. Links are no longer than browsers and mails take. */
export async function share(state) {
  const hash = hash_of(state);
  if (hash.length > 100_000) return "A link holds at most 75 kB.";
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    return "The link is copied, and in the address bar.";
  } catch {
    return "The link is in the address bar.";
  }
}
