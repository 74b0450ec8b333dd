import { createPolicy } from './create.ts'
import { deletePolicy } from './delete.ts'
import { getPolicy } from './get.ts'
import { listPolicies } from './list.ts'
import { updatePolicy } from './update.ts'

export const escalationPolicies = [listPolicies, createPolicy, getPolicy, updatePolicy, deletePolicy]
