import { discovery } from './discovery/index.ts'
import { createScimToken } from './tokens/create.ts'
import { deleteScimToken } from './tokens/delete.ts'
import { listScimTokens } from './tokens/list.ts'
import { createScimUser } from './users/create.ts'
import { deleteScimUser } from './users/delete.ts'
import { getScimUser } from './users/get.ts'
import { listScimUsers } from './users/list.ts'
import { replaceScimUser } from './users/replace.ts'
import { updateScimUser } from './users/update.ts'

export const scim = [
  createScimToken,
  listScimTokens,
  deleteScimToken,
  listScimUsers,
  createScimUser,
  getScimUser,
  replaceScimUser,
  updateScimUser,
  deleteScimUser,
  ...discovery,
]
