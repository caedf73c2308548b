// A step of the build: the sample company, with the files that the company keeps of its own in their place.
import { copyCompanyFolder } from '../src/server/company-folder.ts'

copyCompanyFolder(process.argv[2] ?? '')
