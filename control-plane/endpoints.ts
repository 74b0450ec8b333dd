import * as access from './access/routes.ts'
import * as alerting from './alerting/routes.ts'
import * as backtests from './backtests/routes.ts'
import * as billing from './billing/routes.ts'
import * as engine from './engine/routes.ts'
import type { Endpoint } from './http/endpoint.ts'
import { resellerDocument } from './http/openapi/reseller-document.ts'
import { eraseMember } from './identity/erasure/erase-member.ts'
import { eraseSelf } from './identity/erasure/erase-self.ts'
import { exportProfile } from './identity/profile/export.ts'
import * as identity from './identity/routes.ts'
import * as importing from './importing/routes.ts'
import * as monitoring from './monitoring/routes.ts'
import * as passive from './passive/routes.ts'
import { places } from './person-data.ts'
import * as platform from './platform/routes.ts'
import * as publishing from './publishing/routes.ts'
import * as reselling from './reselling/routes.ts'
import * as tenancy from './tenancy/routes.ts'

const modules: Record<string, Endpoint | readonly Endpoint[]>[] = [
  platform,
  identity,
  access,
  tenancy,
  billing,
  monitoring,
  passive,
  engine,
  backtests,
  importing,
  alerting,
  publishing,
  reselling,
]

/** The endpoints of every module. */
export const endpoints: Endpoint[] = [
  ...modules.flatMap(module => Object.values(module).flat()),
  ...[exportProfile, eraseMember, eraseSelf].map(withPlaces => withPlaces(places)),
  resellerDocument(() => endpoints),
]
