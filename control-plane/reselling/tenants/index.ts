import { createTenant } from './create.ts'
import { getTenant } from './get.ts'
import { listTenants } from './list.ts'
import { updateTenant } from './update.ts'

/** The operator's endpoints for all tenants of this installation. */
export const tenants = [listTenants, createTenant, getTenant, updateTenant]
