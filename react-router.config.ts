import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  buildDirectory: 'build/site',
  ssr: true,
  // A page carries its own routes only; those its links lead to come once it is idle, and the administration's never.
  routeDiscovery: { mode: 'lazy', manifestPath: '/__manifest' },
} satisfies Config
