import { createSession } from './create.ts'
import { currentUser } from './current.ts'
import { deleteSession } from './delete.ts'

export const sessions = [createSession, currentUser, deleteSession]
