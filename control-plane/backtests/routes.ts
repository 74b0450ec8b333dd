export { simulateMonitor } from './simulate.ts'
