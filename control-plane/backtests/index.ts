import { simulateMonitor } from './simulate.ts'

export const simulations = [simulateMonitor]
