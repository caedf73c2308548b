import { serveTask } from '#src/server/background/limited-worker.ts'
import type { CalendarTask } from './read-calendar.ts'
import { readCalendar } from './read-calendar.ts'

void serveTask(async (task: CalendarTask) => readCalendar(task))
