export { grouped } from '../../contracts/grouped.ts';
