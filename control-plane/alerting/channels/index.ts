import { createChannel } from './create.ts'
import { deleteChannel } from './delete.ts'
import { getChannel } from './get.ts'
import { listChannels } from './list.ts'
import { listPresets } from './list-presets.ts'
import { testChannel } from './test.ts'
import { updateChannel } from './update.ts'

export const channels = [
  listPresets,
  listChannels,
  createChannel,
  getChannel,
  updateChannel,
  deleteChannel,
  testChannel,
]
