/**
 * The import rules of docs/architecture.md:
 * lib <- ui, server <- features/content <- features/people <- the other features <- app.
 */
const app = '^src/(main|root|routes|entry\\.(server|client))\\.tsx?$|^src/app/'
const testing = '^src/.*(/testing/|/testing\\.ts$)'

/** Which features a feature may import, besides content and people; a new pair is a decision. */
const allowed = {
  content: [],
  people: [],
  // Its form is taken by the rules of the other public forms, and stands on the page of a posting.
  applications: ['jobs', 'requests'],
  articles: [],
  audit: [],
  chat: ['networks', 'requests', 'updates'],
  company: [],
  employees: [],
  health: [],
  home: ['chat'],
  imports: [],
  jobs: ['applications', 'requests'],
  networks: ['notes', 'updates'],
  notes: ['home'],
  pages: ['requests'],
  privacy: ['audit', 'company', 'requests'],
  recordings: ['audit', 'requests'],
  requests: ['networks'],
  updates: [],
}
const shared = { content: [], people: ['content'] }
const pairs = Object.entries(allowed).map(([feature, others]) => {
  const known = [feature, ...(shared[feature] ?? ['content', 'people']), ...others]
  return {
    name: `pairs-of-${feature}`,
    severity: 'error',
    from: { path: `^src/features/${feature}/` },
    to: { path: `^src/features/(?!(${known.join('|')})/)` },
  }
})

module.exports = {
  forbidden: [
    ...pairs,
    {
      name: 'features-are-listed',
      comment: 'a feature that is not in the list above imports content and people alone',
      severity: 'error',
      from: { path: `^src/features/(?!(?:${Object.keys(allowed).join('|')})/)([^/]+)/` },
      to: { path: '^src/features/', pathNot: '^src/features/($1|content|people)/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'lib-stands-alone',
      comment: 'lib knows nothing of the product',
      severity: 'error',
      from: { path: '^src/lib/' },
      to: { path: '^(src/(?!lib/)|company/)' },
    },
    {
      name: 'ui-has-no-domain',
      severity: 'error',
      from: { path: '^src/ui/' },
      to: { path: `^src/(features|server|app)/|${app}`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-has-no-domain',
      severity: 'error',
      from: { path: '^src/server/', pathNot: testing },
      to: { path: `^src/(features|ui|app)/|${app}`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contracts-are-shared',
      comment: 'contract.ts and values.ts import only zod, lib and their like',
      severity: 'error',
      from: { path: '^src/features/.+/(contract|protocol|values|form-values)\\.ts$' },
      to: { pathNot: '^src/lib/|^src/features/.+/(contract|protocol|values|form-values)\\.ts$|node_modules/zod/' },
    },
    {
      name: 'pages-run-without-the-server',
      severity: 'error',
      from: {
        path: '^src/(features/.+/web|features/chat/(client|widget|console|settings|reports)|ui|app/(admin|public)-shell)/',
      },
      to: { path: '/server/|^node:', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-insides-of-another-feature',
      comment: 'another feature: its contract, values, texts and web blocks; from a server also its service and table',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: {
        path: '^src/features/.+/server/',
        pathNot:
          '^src/features/($1|content)/|/server/(service|table)\\.ts$|^src/features/people/sign-in/server/(sessions|passwords|route-access)\\.ts$|^src/features/requests/server/(reply|entries|form-checks|mail-out|page-form|receive|routes)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-do-not-compose',
      severity: 'error',
      from: { path: '^src/features/', pathNot: testing },
      to: { path: app, dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.tsx?$|\\+types|^\\.react-router|^build' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
