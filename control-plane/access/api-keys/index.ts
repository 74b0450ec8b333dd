import { createApiKey } from './create.ts'
import { deleteApiKey } from './delete.ts'
import { getApiKey } from './get.ts'
import { listApiKeys } from './list.ts'
import { rotateApiKey } from './rotate.ts'
import { updateApiKey } from './update.ts'

export const apiKeys = [listApiKeys, getApiKey, createApiKey, updateApiKey, rotateApiKey, deleteApiKey]
