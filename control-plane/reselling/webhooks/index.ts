import { createWebhook } from './create.ts'
import { deleteWebhook } from './delete.ts'
import { listWebhookDeliveries } from './deliveries.ts'
import { getWebhook } from './get.ts'
import { listWebhooks } from './list.ts'
import { sendWebhookSample } from './sample.ts'
import { updateWebhook } from './update.ts'

export const webhooks = [
  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  sendWebhookSample,
]
