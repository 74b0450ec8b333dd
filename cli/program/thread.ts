import { isMainThread } from 'node:worker_threads'
import { keepSmallAtRest } from '#cli/at-rest.ts'

// loaded before a process of ours and each of its threads, of which Temporal's for workflows lives as long as it
if (!isMainThread) keepSmallAtRest()
