// What a link holds after its #: the certificate and the encoding that it must be about.

export function hash_of(state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return "#" + btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** null where there is none that can be read. */
export function state_of(hash) {
  try {
    const bytes = Uint8Array.from(atob(hash.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const { certificate, encoding } = JSON.parse(new TextDecoder().decode(bytes));
    return typeof certificate === "string" && typeof encoding === "string" ? { certificate, encoding } : null;
  } catch {
    return null;
  }
}
