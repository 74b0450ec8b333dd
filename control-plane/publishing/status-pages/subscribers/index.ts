import { confirmSubscription, getSubscription, unsubscribe, updateSubscription } from './answer.ts'
import { createSubscriber } from './create.ts'
import { deleteSubscriber } from './delete.ts'
import { exportSubscribers } from './export.ts'
import { importSubscribers } from './import.ts'
import { countSubscribers, listSubscribers } from './list.ts'
import { subscribe } from './subscribe.ts'

export const subscribers = [
  listSubscribers,
  createSubscriber,
  countSubscribers,
  exportSubscribers,
  importSubscribers,
  deleteSubscriber,
  subscribe,
  confirmSubscription,
  unsubscribe,
  getSubscription,
  updateSubscription,
]
