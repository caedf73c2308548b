import { benchChat } from './chat.ts'
import { benchFollowers } from './followers.ts'
import { benchForms } from './forms.ts'
import { benchGrowth } from './growth.ts'
import { benchHttp } from './http.ts'
import { benchIdle } from './idle.ts'
import { benchImports } from './imports.ts'
import { benchRecordings } from './recordings.ts'
import { benchSearch } from './search.ts'
import { benchSoak } from './soak.ts'

/** Every figure is compared with a plain server in the same run: only the ratio is meaningful. */
const benches: Record<string, () => Promise<void>> = {
  http: benchHttp,
  chat: benchChat,
  forms: benchForms,
  idle: benchIdle,
  followers: benchFollowers,
  recordings: benchRecordings,
  search: benchSearch,
  soak: benchSoak,
  growth: benchGrowth,
  imports: benchImports,
}
/** They take ten minutes or more, so they only run when named. */
const long = new Set(['soak', 'growth', 'imports'])

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  process.stderr.write(`unknown: ${unknown.join(', ')}; the benchmarks are ${Object.keys(benches).join(', ')}\n`)
  process.exit(2)
}
for (const [name, bench] of Object.entries(benches)) {
  if (asked.includes(name) || (asked.length === 0 && !long.has(name))) await bench()
}
process.exit(0)
