import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  buildDirectory: 'build/site',
  ssr: true,
  // The list of pages is short and public; sending it whole spares a request before each first click.
  routeDiscovery: { mode: 'initial' },
} satisfies Config
