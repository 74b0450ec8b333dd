import { createResellerToken } from './create.ts'
import { createResellerTokenBySession } from './create-by-session.ts'
import { deleteResellerToken } from './delete.ts'
import { getResellerToken } from './get.ts'
import { listResellerTokens } from './list.ts'
import { listResellerScopes } from './list-scopes.ts'
import { rotateResellerToken } from './rotate.ts'
import { toggleResellerToken } from './toggle.ts'

export const resellerTokens = [
  listResellerScopes,
  listResellerTokens,
  getResellerToken,
  createResellerToken,
  createResellerTokenBySession,
  rotateResellerToken,
  toggleResellerToken,
  deleteResellerToken,
]
