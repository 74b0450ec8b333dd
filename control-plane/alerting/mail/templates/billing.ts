import { beyondLists, beyondNow, deriveBeyond } from './beyond-plan.ts'
import { template } from './template.ts'

const planLabel = '{{ brand.plan_labels[plan] | default: plan }}'
const previousLabel = '{{ brand.plan_labels[previous_plan] | default: previous_plan }}'

export const billingPaymentFailed = template({
  type: 'billing_payment_failed',
  tone: 'bad',
  link: '{{ pay_url }}',
  en: {
    subject: 'A payment of {{ team_name }} is open – {{ brand_name }}',
    heading: 'A payment is open',
    paragraphs: [
      `The payment for the plan ${planLabel} of the team {{ team_name }} has not arrived. The plan ` +
        'stays until the day below. Nothing is deleted afterwards: what goes beyond the free plan is put ' +
        'on hold.',
    ],
    details: [['The plan stays until', '{{ grace_ends_at | moment }}']],
    button: 'Pay the invoice',
  },
  de: {
    subject: 'Eine Zahlung von {{ team_name }} ist offen – {{ brand_name }}',
    heading: 'Eine Zahlung ist offen',
    paragraphs: [
      `Die Zahlung für den Tarif ${planLabel} des Teams {{ team_name }} ist nicht eingegangen. Der ` +
        'Tarif bleibt bis zum unten genannten Tag. Danach wird nichts gelöscht: Was über den kostenlosen ' +
        'Tarif hinausgeht, ruht.',
    ],
    details: [['Der Tarif bleibt bis', '{{ grace_ends_at | moment }}']],
    button: 'Rechnung bezahlen',
  },
})

export const billingGraceEnding = template({
  type: 'billing_grace_ending',
  tone: 'bad',
  link: '{{ pay_url }}',
  en: {
    subject: 'The plan of {{ team_name }} ends in three days – {{ brand_name }}',
    heading: 'Your plan ends in three days',
    paragraphs: [
      `The payment for the plan ${planLabel} of the team {{ team_name }} is still open. Without it the ` +
        'free plan applies from the day below. Nothing is deleted: what goes beyond it is put on hold, ' +
        'and you choose which monitors stay.',
    ],
    details: [['The plan stays until', '{{ grace_ends_at | moment }}']],
    button: 'Pay the invoice',
  },
  de: {
    subject: 'Der Tarif von {{ team_name }} endet in drei Tagen – {{ brand_name }}',
    heading: 'Ihr Tarif endet in drei Tagen',
    paragraphs: [
      `Die Zahlung für den Tarif ${planLabel} des Teams {{ team_name }} ist noch offen. Ohne sie gilt ` +
        'ab dem unten genannten Tag der kostenlose Tarif. Nichts wird gelöscht: Was darüber hinausgeht, ' +
        'ruht, und Sie wählen, welche Monitore bleiben.',
    ],
    details: [['Der Tarif bleibt bis', '{{ grace_ends_at | moment }}']],
    button: 'Rechnung bezahlen',
  },
})

export const billingPlanChanged = template({
  type: 'billing_plan_changed',
  tone: 'neutral',
  link: '{{ plan_url }}',
  derive: deriveBeyond,
  en: {
    subject: 'The plan of {{ team_name }} has changed – {{ brand_name }}',
    heading: 'Your plan has changed',
    paragraphs: [
      `The plan of the team {{ team_name }} is ${planLabel}; until now it was ${previousLabel}.`,
      beyondNow.en,
    ],
    lists: beyondLists.en,
    button: '{% if monitors_on_hold > 0 %}Choose which monitors stay{% else %}Open the plan{% endif %}',
  },
  de: {
    subject: 'Der Tarif von {{ team_name }} ist ein anderer – {{ brand_name }}',
    heading: 'Ihr Tarif ist ein anderer',
    paragraphs: [
      `Für das Team {{ team_name }} gilt der Tarif ${planLabel}; bisher war es ${previousLabel}.`,
      beyondNow.de,
    ],
    lists: beyondLists.de,
    button: '{% if monitors_on_hold > 0 %}Wählen, welche Monitore bleiben{% else %}Tarif öffnen{% endif %}',
  },
})

export const billingInvoiceIssued = template({
  type: 'billing_invoice_issued',
  tone: 'neutral',
  en: {
    subject: 'Invoice for {{ team_name }} – {{ brand_name }}',
    heading: 'An invoice is to be paid',
    paragraphs: [`There is an invoice for the plan ${planLabel} of the team {{ team_name }}.`],
    details: [
      ['Invoice', '{{ number }}'],
      ['Amount', '{{ total | money: currency }}'],
      ['To be paid by', '{{ due_at | moment }}'],
    ],
  },
  de: {
    subject: 'Rechnung für {{ team_name }} – {{ brand_name }}',
    heading: 'Eine Rechnung ist zu bezahlen',
    paragraphs: [`Für den Tarif ${planLabel} des Teams {{ team_name }} liegt eine Rechnung vor.`],
    details: [
      ['Rechnung', '{{ number }}'],
      ['Betrag', '{{ total | money: currency }}'],
      ['Zu bezahlen bis', '{{ due_at | moment }}'],
    ],
  },
})

export const billingInvoicePaid = template({
  type: 'billing_invoice_paid',
  tone: 'good',
  link: '{{ invoice_url }}',
  en: {
    subject: 'Payment received from {{ team_name }} – {{ brand_name }}',
    heading: 'Your payment has arrived',
    paragraphs: ['Thank you. The invoice of the team {{ team_name }} is paid.'],
    details: [
      ['Invoice', '{{ number }}'],
      ['Amount', '{{ total | money: currency }}'],
      ['Paid', '{{ paid_at | moment }}'],
    ],
    button: 'Open the invoice',
  },
  de: {
    subject: 'Zahlung von {{ team_name }} eingegangen – {{ brand_name }}',
    heading: 'Ihre Zahlung ist eingegangen',
    paragraphs: ['Vielen Dank. Die Rechnung des Teams {{ team_name }} ist bezahlt.'],
    details: [
      ['Rechnung', '{{ number }}'],
      ['Betrag', '{{ total | money: currency }}'],
      ['Bezahlt', '{{ paid_at | moment }}'],
    ],
    button: 'Rechnung öffnen',
  },
})
