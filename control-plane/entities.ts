import { Tenant } from './tenancy/tenants/entity.ts'

/** Everything MikroORM stores, a line each. */
export const entities = [Tenant]
