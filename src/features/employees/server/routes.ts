import { z } from 'zod'
import { registerOrderRoutes } from '#src/features/content/order/server/order.ts'
import { registerContentRoutes } from '#src/features/content/server/content-routes.ts'
import { Invalid } from '#src/server/problems.ts'
import { sendShared } from '#src/server/cache/shared-responses.ts'
import type { Routes } from '#src/server/types.ts'
import type { EmployeeFilter } from '../contract.ts'
import { employee, employeeFilter } from '../contract.ts'
import { photoMaxBytes } from '#src/features/content/values.ts'
import { employeeContent, readEmployees, withStoredPhoto } from './service.ts'

const querystring = z.strictObject({ where: z.string().max(2_000).optional() })
/** A data URL is a third longer than its bytes. */
const bodyLimit = photoMaxBytes * 1.5

const response = { 200: z.array(employee) }

export const employeeRoutes: Routes = async (app) => {
  app.get('/', { config: { access: 'public' }, schema: { querystring, response } }, async (request, reply) =>
    sendShared(request, reply, await readEmployees(app, readFilter(request.query.where)), response[200]),
  )
  registerOrderRoutes(app, employeeContent)
  registerContentRoutes(app, {
    content: employeeContent,
    output: employee,
    access: { read: 'public', write: 'employees read_write' },
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
