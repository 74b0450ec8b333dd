import { createSession } from './create.ts'
import { currentUser } from './current.ts'
import { deleteSession } from './delete.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { stepUp } from './step-up.ts'
import { switchTeam } from './switch-team.ts'

export const sessions = [createSession, currentUser, deleteSession, login, logout, stepUp, switchTeam]
