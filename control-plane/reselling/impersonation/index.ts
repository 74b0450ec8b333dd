import { createImpersonationToken } from './create.ts'
import { listImpersonationTokens } from './list.ts'
import { revokeImpersonationToken } from './revoke.ts'

export const impersonation = [listImpersonationTokens, createImpersonationToken, revokeImpersonationToken]
