/** The import rules of docs/architecture.md: lib <- ui and server <- features <- the files that compose. */
const composing =
  '^src/(main|root|routes|entry\\.(server|client))\\.tsx?$|^src/server/(app|page-services|sample-content)\\.ts$|^src/server/testing/'

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
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
      to: { path: '^src/(features|server)/|^src/[^/]+\\.tsx?$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'engine-room-has-no-domain',
      severity: 'error',
      from: { path: '^src/server/', pathNot: composing },
      to: { path: '^src/(features|ui)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'contracts-are-shared',
      comment: 'contract.ts and values.ts import only zod, lib and their like',
      severity: 'error',
      from: { path: '^src/features/[^/]+/(contract|values|form-values)\\.ts$' },
      to: { pathNot: '^src/lib/|^src/features/[^/]+/(contract|values|form-values)\\.ts$|node_modules/zod/' },
    },
    {
      name: 'pages-run-without-the-server',
      severity: 'error',
      from: { path: '^src/(features/[^/]+/web|ui)/' },
      to: { path: '/server/|^node:', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-insides-of-another-feature',
      comment:
        "another feature: its contract, values, texts and web blocks; from a server also its service, table, guard, and auth's sessions and passwords",
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: '^src/features/(auth|users|groups)/server/' },
      to: {
        path: '^src/features/[^/]+/server/',
        pathNot:
          '^src/features/$1/|/server/(canned-service|service|table|guard)\\.ts$|^src/features/auth/server/(sessions|passwords)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'people-keep-to-themselves',
      comment: 'auth, users and groups are one area in three folders: they may use each other, and the services of others',
      severity: 'error',
      from: { path: '^src/features/(auth|users|groups)/server/' },
      to: {
        path: '^src/features/(?!(auth|users|groups)/)[^/]+/server/',
        pathNot: '/server/(canned-service|service|table|guard)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-do-not-compose',
      severity: 'error',
      from: { path: '^src/features/' },
      to: {
        path: '^src/(main|root|routes)\\.tsx?$|^src/server/(app|page-services|sample-content)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
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
