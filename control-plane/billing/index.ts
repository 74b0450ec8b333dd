import { cancelPlanChange, cancelSubscription, resumeSubscription } from './cancel.ts'
import { changePlan } from './change-plan.ts'
import { createCheckout, createPortal } from './checkout.ts'
import { getBilling } from './get.ts'
import { getInvoice, listInvoices, listInvoicesOfTenant } from './list-invoices.ts'
import { getBillingOfTenant, markInvoicePaid, voidInvoice } from './operate.ts'
import { previewPlan } from './preview.ts'
import { takeStripeEvent } from './stripe/take-event.ts'
import { updatePayer } from './update-payer.ts'

export const billing = [
  getBilling,
  previewPlan,
  changePlan,
  cancelPlanChange,
  cancelSubscription,
  resumeSubscription,
  listInvoices,
  getInvoice,
  updatePayer,
  createCheckout,
  createPortal,
  takeStripeEvent,
  getBillingOfTenant,
  listInvoicesOfTenant,
  markInvoicePaid,
  voidInvoice,
]
