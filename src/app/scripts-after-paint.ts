import { Transform } from 'node:stream'
import { chatIdStorageKey, resumeStorageKey } from '#src/features/chat/keys.ts'
import { networkViewKey } from '#src/features/networks/values.ts'
import { languageStorageKey } from '#src/lib/language/language.ts'

const opening = 'type="module" async="">'
const closing = '</script>'

/**
 * Makes a page load its scripts after the first paint, for which the router has no option: it is complete without them, and on
 * a slow network they would delay its style sheet, picture and fonts.
 */
export function scriptsAfterPaint(reading?: Reading) {
  let held: Buffer[] | null = []
  let mark = opening
  let overlap = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (held === null) return done(null, chunk)
      held.push(chunk)
      // Only searches the new chunk and the end of the previous one: a long page has thousands of chunks.
      let unread = Buffer.concat([overlap, chunk])
      let at = unread.indexOf(mark)
      if (at !== -1 && mark === opening) {
        unread = unread.subarray(at)
        mark = closing
        at = unread.indexOf(mark)
      }
      overlap = Buffer.from(unread.subarray(Math.max(0, unread.length - mark.length + 1)))
      if (at === -1) return done()
      const begun = Buffer.concat(held)
      const end = begun.indexOf(closing, begun.indexOf(opening))
      this.push(fetchLater(begun.subarray(0, end).toString(), reading))
      this.push(begun.subarray(end))
      held = null
      done()
    },
    flush(done) {
      done(null, held && Buffer.concat(held))
    },
  })
}

/**
 * Queues a tap on a chat link before the page's script is loaded: shows the notice, and the launcher handles it later. If no
 * script loads, the link is followed.
 */
const queueChatTaps = `let held, lost;
const follow = () => held?.isConnected && held.role !== "button" && location.assign(held.href);
addEventListener("error", ({ target }) => { if (target.rel === "modulepreload") { lost = true; follow(); } }, true);
addEventListener("click", (event) => {
  const link = event.target.closest("a[data-chat]");
  if (!link || lost || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  held = link;
  document.getElementById("chat-requested")?.showPopover?.();
  setTimeout(follow, 8000);
});`

/** A page that is mostly read: `live` is the address of live-stream.ts, `since` when the page was rendered by this build. */
export type Reading = { live: string; since: number; build: string }

/**
 * Waits until the visitor is about to use the page or something on it changed: its scripts weigh twice as much as the rest of
 * the page, and most visitors only read it. What is changed here is set back before hydration, which expects the page as sent.
 */
const untilUsed = ({ live, since, build }: Reading) => `await new Promise((start) => {
  const controls = "a, button, input, select, summary, textarea, [tabindex='0']";
  const types = ["focusin", "keydown", "pointerover"];
  const { title } = document;
  const icon = Object.assign(document.createElement("link"), { rel: "icon", type: "image/svg+xml" });
  let leave = () => {}, state, isOver;
  const begin = () => {
    if (isOver) return;
    isOver = true;
    leave();
    for (const type of types) removeEventListener(type, onUse, true);
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", onReturn);
    icon.remove();
    document.title = title;
    start();
  };
  const onUse = (event) => {
    const control = event.target.closest?.(controls);
    if (control || event.type === "keydown") begin();
  };
  const onReturn = ({ persisted }) => persisted && begin();
  for (const type of types) addEventListener(type, onUse, true);
  addEventListener("pageshow", onReturn);
  // The focus of a ribbon reaches the scripts again once they listen.
  addEventListener("focusin", ({ target, isTrusted }) => {
    if (!isTrusted || !target.matches?.(".ribbon")) return;
    const timer = setInterval(() => {
      if (target.role === "slider" || document.activeElement !== target) return clearInterval(timer);
      target.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    }, 200);
  });
  // A view chosen before hydration is applied by it.
  addEventListener("click", (event) => {
    const view = event.target.closest("a[data-view]")?.dataset.view;
    if (!view || event.ctrlKey || event.metaKey || event.shiftKey) return;
    try {
      localStorage.setItem("${networkViewKey}", view);
      event.preventDefault();
    } catch {}
    begin();
  });
  if (matchMedia("(min-width: 48rem)").matches) for (const fold of document.querySelectorAll(".net-fold")) fold.open = true;
  try {
    const language = localStorage.getItem("${languageStorageKey}");
    if (language && !document.documentElement.lang.startsWith(language)) begin();
    else if (localStorage.getItem("${networkViewKey}")) begin();
    else if (sessionStorage.getItem("${chatIdStorageKey}") ?? sessionStorage.getItem("${resumeStorageKey}")) begin();
  } catch {}
  if (isOver) return;
  import("${live}").then(({ followLive }) => {
    if (isOver) return;
    leave = followLive(${since}, {
      onChanged: (area) => (area === null || /^(networks|notes|updates)$/.test(area)) && begin(),
      onBuild: (build) => build !== ${JSON.stringify(build)} && begin(),
      onAvailability: (now) => {
        const next = now.emergency ? "emergency" : now.state;
        if (state && state !== next) return begin();
        if (state || next === "open") return (state = next);
        state = next;
        document.head.append(Object.assign(icon, { href: "/favicon-" + next + ".svg" }));
        if (now.emergency) document.title = "(!) " + title;
      },
    });
    addEventListener("pagehide", leave);
  }, begin);
});`

/**
 * Rewrites the page up to the end of the router's script: the imports run after the first frame, or at once where none is drawn
 * (background tab, hidden frame). Files are evaluated one by one, the entry last: all at once would block the main thread of a
 * phone.
 */
function fetchLater(html: string, reading?: Reading) {
  const files: string[] = []
  const page = html.replaceAll(/<link rel="modulepreload" href="([^"]+)"[^>]*\/>/g, (_, file: string) => {
    files.push(file)
    return ''
  })
  const start = page.lastIndexOf(opening) + opening.length
  const names: string[] = []
  const imports: string[] = []
  const rest = page.slice(start).replaceAll(/import \* as (\w+) from ("[^"]+");/g, (_, name: string, file: string) => {
    names.push(name)
    imports.push(`import(${file})`)
    return ''
  })
  const entry = /import\("([^"]+)"\);?\s*$/.exec(rest)?.[1]
  const before = files.filter((file) => file !== entry)
  const ordered = entry === undefined ? before : [...before, entry]
  return `${page.slice(0, start)}
${queueChatTaps}
const files = ${JSON.stringify(ordered)};
await new Promise((painted) => {
  requestAnimationFrame(() => setTimeout(painted));
  setTimeout(painted, document.hidden ? 0 : 2000);
});
${reading ? untilUsed(reading) : ''}
const rest = () => globalThis.scheduler?.yield?.() ?? new Promise((next) => setTimeout(next));
for (const href of files) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  await rest();
}
for (const href of files.slice(0, ${before.length})) {
  await import(href);
  await rest();
}
const [${names.join(', ')}] = await Promise.all([${imports.join(', ')}]);
${rest.trim()}`
}
