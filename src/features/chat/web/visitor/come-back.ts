/** How a socket comes back, in milliseconds; the chance in it spreads a crowd over the seconds after a restart. */
export const comeBack = { reconnectionDelay: 1_000, reconnectionDelayMax: 5_000 }

/** When to come back to a server that said goodbye because it restarts: the library takes that for a farewell. */
export function comeBackDelay() {
  const { reconnectionDelay, reconnectionDelayMax } = comeBack
  return reconnectionDelay + Math.random() * (reconnectionDelayMax - reconnectionDelay)
}
