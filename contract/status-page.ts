/** The words in which updates of status pages are written, wherever they come from and go to. */

/** What a person may set: of a static component, or of a component in an incident. */
export const settableStatuses = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'maintenance',
] as const
export type SettableStatus = (typeof settableStatuses)[number]

export const impacts = ['none', 'minor', 'major', 'critical'] as const
export type Impact = (typeof impacts)[number]

export const phases = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type Phase = (typeof phases)[number]

/** How far planned work is. */
export const maintenancePhases = ['scheduled', 'in_progress', 'completed'] as const
export type MaintenancePhase = (typeof maintenancePhases)[number]
