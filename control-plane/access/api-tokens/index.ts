import { createApiToken } from './create.ts'
import { deleteApiToken } from './delete.ts'
import { getApiToken } from './get.ts'
import { listApiTokens } from './list.ts'
import { listTenantScopes } from './list-scopes.ts'
import { rotateApiToken } from './rotate.ts'
import { updateApiToken } from './update.ts'

export const apiTokens = [
  listTenantScopes,
  listApiTokens,
  getApiToken,
  createApiToken,
  updateApiToken,
  rotateApiToken,
  deleteApiToken,
]
