import { createMember } from './create.ts'
import { getMember } from './get.ts'
import { leaveTeam } from './leave.ts'
import { listMembers } from './list.ts'
import { removeMember } from './remove.ts'
import { resetMfa } from './reset-mfa.ts'
import { updateMember } from './update.ts'

export const members = [listMembers, createMember, getMember, updateMember, removeMember, resetMfa, leaveTeam]
