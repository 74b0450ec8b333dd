import { createManagedTeam } from './create.ts'
import { getManagedTeam } from './get.ts'
import { listManagedTeams } from './list.ts'
import { updateManagedTeam } from './update.ts'

export const managedTeams = [listManagedTeams, createManagedTeam, getManagedTeam, updateManagedTeam]
