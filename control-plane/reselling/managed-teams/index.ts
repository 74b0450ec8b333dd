import { batchManagedTeams } from './batch.ts'
import { createManagedTeam } from './create.ts'
import { decoupleManagedTeam } from './decouple.ts'
import { deleteManagedTeam } from './delete.ts'
import { getManagedTeam } from './get.ts'
import { listManagedTeams } from './list.ts'
import { pauseManagedTeam } from './pause.ts'
import { restoreManagedTeam } from './restore.ts'
import { summariseManagedTeam } from './summary.ts'
import { listTrashedTeams } from './trashed.ts'
import { unpauseManagedTeam } from './unpause.ts'
import { updateManagedTeam } from './update.ts'

export const managedTeams = [
  listManagedTeams,
  createManagedTeam,
  batchManagedTeams,
  listTrashedTeams,
  getManagedTeam,
  updateManagedTeam,
  deleteManagedTeam,
  pauseManagedTeam,
  unpauseManagedTeam,
  restoreManagedTeam,
  summariseManagedTeam,
  decoupleManagedTeam,
]
