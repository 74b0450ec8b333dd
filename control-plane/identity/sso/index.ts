import { listSsoAttempts } from './attempts.ts'
import { deleteSsoConfig } from './delete.ts'
import { createSsoDomain, deleteSsoDomain, getSsoDomain, listSsoDomains, verifySsoDomain } from './domains.ts'
import { getSsoConfig } from './get.ts'
import { testSsoConfig } from './test.ts'
import { updateSsoConfig } from './update.ts'

export const sso = [
  getSsoConfig,
  updateSsoConfig,
  deleteSsoConfig,
  testSsoConfig,
  listSsoDomains,
  createSsoDomain,
  getSsoDomain,
  deleteSsoDomain,
  verifySsoDomain,
  listSsoAttempts,
]
