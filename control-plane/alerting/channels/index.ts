import { createChannel } from './create.ts'
import { deleteChannel } from './delete.ts'
import { getChannel } from './get.ts'
import { listChannels } from './list.ts'
import { testChannel } from './test.ts'
import { updateChannel } from './update.ts'

export const channels = [listChannels, createChannel, getChannel, updateChannel, deleteChannel, testChannel]
