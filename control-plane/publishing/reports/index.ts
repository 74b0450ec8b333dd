import { monitorReportPdf } from './monitor-pdf.ts'
import { monitorReport } from './monitor-report.ts'
import { monthlyReportPdf, teamReportPdf } from './month-pdf.ts'

export const reports = [monitorReport, monitorReportPdf, monthlyReportPdf, teamReportPdf]
