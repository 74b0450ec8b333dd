import { listDeadEvents } from './list.ts'
import { replayDeadEvent } from './replay.ts'

export const deadEvents = [listDeadEvents, replayDeadEvent]
