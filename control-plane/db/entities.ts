import { Tenant } from '#control-plane/tenancy/tenants/entity.ts'

/** Everything MikroORM stores, a line each. */
export const entities = [Tenant]
