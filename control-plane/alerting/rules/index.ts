import { createRule } from './create.ts'
import { deleteRule } from './delete.ts'
import { listEventTypes } from './event-types.ts'
import { getRule } from './get.ts'
import { listRules } from './list.ts'
import { updateRule } from './update.ts'

export const rules = [listEventTypes, listRules, createRule, getRule, updateRule, deleteRule]
