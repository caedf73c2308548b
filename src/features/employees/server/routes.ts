import { z } from 'zod'
import { registerOrderRoutes } from '#src/features/content/order/server/order.ts'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { mayAlso, requireShown } from '#src/features/people/sign-in/server/route-access.ts'
import { Invalid } from '#src/server/problems.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import type { EmployeeFilter } from '../contract.ts'
import { employee, employeeFilter } from '../contract.ts'
import { photoMaxBytes } from '#src/features/content/values.ts'
import { employeeContent, findEmployees, readEmployees, withStoredPhoto } from './service.ts'

const querystring = z.strictObject({ where: z.string().max(2_000).optional() })
/** A data URL is a third longer than its bytes. */
const bodyLimit = photoMaxBytes * 1.5

const response = { 200: z.array(employee) }

export const employeeRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { querystring, response } }, async (request, reply) => {
    const filter = readFilter(request.query.where)
    if (await mayAlso(request, 'employees', 'read_only')) return findEmployees(app.db, filter)
    return sendShared(request, reply, await readEmployees(app, filter), response[200])
  })
  registerOrderRoutes(app, employeeContent)
  registerContentRoutes(app, {
    content: employeeContent,
    output: employee,
    access: { read: 'public', write: 'employees read_write' },
    checkReader: (request, { publie }) => requireShown(request, 'employees', publie),
    prepare: withStoredPhoto,
    bodyLimit,
    upload: true,
  })
}

function readFilter(where: string | undefined): EmployeeFilter {
  if (where === undefined) return {}
  try {
    return employeeFilter.parse(JSON.parse(where))
  } catch {
    throw new Invalid('The filter is not valid.', [
      { path: 'where', message: 'an object of email, departement, sousdepartement' },
    ])
  }
}
