import { changeRole } from './change-role.ts'
import { createMember } from './create.ts'
import { getMember } from './get.ts'
import { leaveTeam } from './leave.ts'
import { listMembers } from './list.ts'
import { removeMember } from './remove.ts'
import { resetMfa } from './reset-mfa.ts'

export const members = [listMembers, createMember, getMember, changeRole, removeMember, resetMfa, leaveTeam]
