import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  buildDirectory: 'build/site',
  ssr: true,
  // A page contains only its own routes; linked ones are discovered when it is idle, those of the administration never.
  routeDiscovery: { mode: 'lazy', manifestPath: '/__manifest' },
} satisfies Config
