import { listTags } from './list.ts'

export const tags = [listTags]
